"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { providers, measured, cases, shared, meanings, names } = data;
  const VERDICTS = ["agrees", "explained", "unexplained", "error", "skipped"];
  const MARKS = { agrees: "=", explained: "≈", unexplained: "≠", error: "!", skipped: "–", measured: "·" };
  const WORDS = { undefined: "undefined", rejected: "refused", failed: "failed", unsupported: "not offered" };
  const byId = (id) => document.getElementById(id);
  const table = byId("matrix");
  const head = table.tHead;
  const body = table.tBodies[0];

  // Texts are only ever set as text: what a case holds is never read as markup.
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }

  // Outcomes: [kind, unit value | text, own value | detail, [names of components, values...]]
  const kindOf = (outcome) => shared[outcome[0]];

  function short(outcome) {
    const kind = kindOf(outcome);
    if (kind === "number") return brief(outcome[1]);
    if (kind === "infinite") return shared[outcome[1]] === "Infinity" ? "∞" : "−∞";
    return WORDS[kind];
  }

  function brief(value) {
    if (value === 0) return "0";
    const size = Math.abs(value);
    if (size < 1e-4 || size >= 1e6) return value.toExponential(1).replace("e+", "e");
    return String(Number(value.toPrecision(4)));
  }

  function long(outcome) {
    const kind = kindOf(outcome);
    if (kind === "number") return outcome[2] ? `${outcome[1]}, written as ${outcome[2]}` : String(outcome[1]);
    if (kind === "infinite") return shared[outcome[1]];
    return [WORDS[kind], shared[outcome[2]], shared[outcome[1]]].filter(Boolean).join(": ");
  }

  // The value by which cells are the same or differ: numbers to nine digits, anything else by its kind.
  function level(outcome) {
    const kind = kindOf(outcome);
    if (kind === "number") return outcome[1] === 0 ? "0" : outcome[1].toPrecision(9);
    return kind === "infinite" ? shared[outcome[1]] : kind;
  }

  function groups(one) {
    const found = new Map();
    for (const cell of one.cells) {
      if (!cell || VERDICTS[cell[0]] === "skipped") continue;
      const value = level(cell[1]);
      found.set(value, (found.get(value) || 0) + 1);
    }
    return found;
  }

  function spread(one) {
    const values = one.cells.filter((cell) => cell && kindOf(cell[1]) === "number").map((cell) => cell[1][1]);
    const others = one.cells.some((cell) => cell && !["number", "unsupported"].includes(kindOf(cell[1])));
    return (values.length ? Math.max(...values) - Math.min(...values) : 0) + (others && values.length ? 1e9 : 0);
  }

  const haystack = (one) =>
    [one.id, one.metric, one.title, one.explanation || "", ...one.tags, ...one.axes, JSON.stringify(one.segments)].join(" ").toLowerCase();

  cases.forEach((one, index) => {
    const counts = groups(one);
    Object.assign(one, { index, tags: one.tags || [], axes: one.axes || [] });
    one.parted = counts.size > 1;
    one.odd = counts.size === 2 && [...counts.values()].includes(1) && [...counts.values()].some((count) => count > 1);
    one.facts = new Map(one.measured.map((fact) => [fact[0], fact]));
  });

  // Columns: providers first, then what was measured, made only when somebody wants to see it.
  const columns = providers.map((name, index) => ({ name, index, ticked: true, shown: true, own: true }));
  let order = { column: null, down: false };
  let focused = null;
  const rows = new Map();

  const has = (one, column) => Boolean(column.own ? one.cells[column.index] : one.facts.get(column.index));

  // A column that has nothing to say about any case that is left steps aside.
  function arrange() {
    for (const column of columns) column.shown = column.ticked && (!current.length || current.some((one) => has(one, column)));
    for (const line of [head.rows[0], ...rows.values()]) columns.forEach((column, place) => { line.cells[place + 1].hidden = !column.shown; });
  }

  function cell(one, column) {
    const name = column.own ? column.name : `${column.name} (measured)`;
    const found = column.own ? one.cells[column.index] : one.facts.get(column.index);
    if (!found) return make("td", { role: "gridcell", class: "none", tabindex: "-1", "data-name": name }, make("span", { class: "sr" }, "no such metric"));
    const verdict = column.own ? VERDICTS[found[0]] : "measured";
    const outcome = column.own ? found[1] : found[2];
    const value = short(outcome);
    return make("td", { role: "gridcell", class: verdict, tabindex: "-1", "data-name": name }, value, make("small", {}, `${MARKS[verdict]} ${verdict}`));
  }

  function row(one) {
    const known = rows.get(one);
    if (known) return known;
    const title = make("th", { scope: "row", role: "rowheader" }, visible(one.title), make("small", {}, `${one.metric} · ${one.id}`));
    const made = make("tr", { role: "row" }, title, ...columns.map((column) => cell(one, column)));
    made.one = one;
    columns.forEach((column, place) => { made.cells[place + 1].hidden = !column.shown; });
    rows.set(one, made);
    return made;
  }

  function heading() {
    const first = make("th", { scope: "col", role: "columnheader" }, sorter("case", null));
    const line = make("tr", { role: "row" }, first, ...columns.map((column) => {
      const made = make("th", { scope: "col", role: "columnheader" }, sorter(column.own ? column.name : `${column.name} ·`, column));
      made.hidden = !column.shown;
      return made;
    }));
    head.replaceChildren(line);
    mark();
  }

  function sorter(text, column) {
    const button = make("button", { type: "button", title: "Sort" }, text);
    button.addEventListener("click", () => {
      order = { column, down: order.column === column && order.set ? !order.down : false, set: true };
      draw();
    });
    return button;
  }

  function mark() {
    [...head.rows[0].cells].forEach((made, place) => {
      const column = place ? columns[place - 1] : null;
      const here = order.set && order.column === column;
      made.setAttribute("aria-sort", here ? (order.down ? "descending" : "ascending") : "none");
      const button = made.firstChild;
      button.textContent = button.textContent.replace(/ [▲▼]$/, "") + (here ? (order.down ? " ▼" : " ▲") : "");
    });
  }

  function rank(one) {
    const column = order.column;
    if (column === null) return [one.title];
    const found = column.own ? one.cells[column.index] : one.facts.get(column.index);
    if (!found) return [9, 0];
    const outcome = column.own ? found[1] : found[2];
    const severity = column.own ? [3, 2, 0, 1, 4][found[0]] : 0;
    return [severity, kindOf(outcome) === "number" ? outcome[1] : Infinity];
  }

  function compare(a, b) {
    for (let place = 0; place < a.length; place += 1) {
      if (a[place] < b[place]) return -1;
      if (a[place] > b[place]) return 1;
    }
    return 0;
  }

  function wanted() {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const metric = byId("metric").value;
    const tag = byId("tag").value;
    const outcome = byId("outcome").value;
    const verdict = VERDICTS.indexOf(outcome);
    const found = cases.filter((one) => {
      if (metric && one.metric !== metric) return false;
      if (tag && !one.tags.includes(tag)) return false;
      if (outcome === "parted" && !one.parted) return false;
      if (outcome === "odd" && !one.odd) return false;
      if (verdict >= 0 && !one.cells.some((made, place) => made && columns[place].ticked && made[0] === verdict)) return false;
      if (!columns.some((column) => column.ticked && has(one, column))) return false;
      if (!words.length) return true;
      if (one.hay === undefined) one.hay = haystack(one);
      return words.every((word) => one.hay.includes(word));
    });
    const by = byId("order").value;
    if (order.set) {
      const sign = order.down ? -1 : 1;
      found.sort((a, b) => sign * compare(rank(a), rank(b)) || a.index - b.index);
    } else if (by === "title") found.sort((a, b) => compare([a.title], [b.title]));
    else if (by === "spread") found.sort((a, b) => spread(b) - spread(a) || a.index - b.index);
    return found;
  }

  let current = [];
  let drawing = 0;

  // The first rows come at once, the others while the browser has time, so that the page opens quickly.
  function draw() {
    current = wanted();
    arrange();
    mark();
    const mine = (drawing += 1);
    const step = 60;
    body.replaceChildren(...current.slice(0, step).map(row));
    if (!document.documentElement.dataset.opened) document.documentElement.dataset.opened = String(Math.round(performance.now()));
    let done = step;
    const more = () => {
      if (mine !== drawing || done >= current.length) return finish(mine);
      body.append(...current.slice(done, done + step).map(row));
      done += step;
      setTimeout(more, 0);
    };
    more();
    byId("shown").textContent = `${current.length} of ${cases.length} cases`;
    enter();
    remember();
  }

  function finish(mine) {
    if (mine === drawing) document.documentElement.dataset.ready = String(current.length);
  }

  // One cell is in the tab order; arrow keys, Home, End and the page keys move on from it.
  function enter() {
    if (focused) focused.tabIndex = -1;
    focused = body.rows[0] ? visibleCells(body.rows[0])[0] || body.rows[0].cells[0] : null;
    if (focused) focused.tabIndex = 0;
  }

  const visibleCells = (line) => [...line.cells].filter((made) => getComputedStyle(made).display !== "none");

  function go(target) {
    if (!target) return;
    if (focused) focused.tabIndex = -1;
    focused = target;
    focused.tabIndex = 0;
    focused.focus();
    focused.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  body.addEventListener("keydown", (event) => {
    const here = event.target.closest("td, th");
    if (!here) return;
    const line = here.parentElement;
    const cells = visibleCells(line);
    const place = cells.indexOf(here);
    const other = (next) => next && visibleCells(next)[place];
    const lines = [...body.rows];
    const at = lines.indexOf(line);
    const moves = {
      ArrowRight: () => cells[place + 1],
      ArrowLeft: () => cells[place - 1],
      ArrowDown: () => other(line.nextElementSibling),
      ArrowUp: () => other(line.previousElementSibling),
      Home: () => (event.ctrlKey ? visibleCells(lines[0])[0] : cells[0]),
      End: () => (event.ctrlKey ? visibleCells(lines[lines.length - 1]).at(-1) : cells.at(-1)),
      PageDown: () => other(lines[Math.min(at + 10, lines.length - 1)]),
      PageUp: () => other(lines[Math.max(at - 10, 0)]),
    };
    if (event.key in moves) {
      event.preventDefault();
      go(moves[event.key]());
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(line.one, columnOf(here));
    }
  });

  body.addEventListener("click", (event) => {
    const here = event.target.closest("td, th");
    if (!here) return;
    go(here);
    open(here.parentElement.one, columnOf(here));
  });

  const columnOf = (made) => columns[made.cellIndex - 1] || null;

  // What cannot be seen is shown: blanks as dots, other white space and control characters by their numbers,
  // combining marks on a circle of dashes.
  function visible(text) {
    const out = document.createDocumentFragment();
    let plain = "";
    const flush = () => { if (plain) out.append(plain); plain = ""; };
    for (const character of text) {
      const code = character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
      const name = names[character.codePointAt(0).toString(16).toUpperCase()] || "";
      const title = `U+${code} ${name}`.trim();
      if (/[\p{C}\p{Zl}\p{Zp}]|[^\S ]/u.test(character)) {
        flush();
        out.append(make("span", { class: "chip", title }, `U+${code}`));
        if (character === "\n") out.append("\n");
      } else if (/\p{M}/u.test(character)) {
        flush();
        out.append(make("span", { class: "chip", title }, `◌${character} U+${code}`));
      } else if (character > "~") {
        flush();
        out.append(make("span", { title }, character));
      } else plain += character;
    }
    flush();
    return out;
  }

  function exposed(text) {
    const whole = make("span", { class: "text", dir: "auto" });
    if (!text) whole.append(make("span", { class: "sr" }, "empty"), make("span", { class: "sp", "aria-hidden": "true" }, "∅ empty"));
    text.split(" ").forEach((piece, index) => {
      if (index) whole.append(make("span", { class: "sp", title: "U+0020 SPACE" }, "·"));
      whole.append(visible(piece));
    });
    return whole;
  }

  // A compact description stands for a long text and is shown as one.
  function input(value) {
    if (value === null) return make("em", {}, "None");
    if (typeof value === "string") return exposed(value);
    if (typeof value !== "object") return make("code", {}, String(value));
    if ("$repeat" in value) {
      const rest = value.suffix ? [" then ", exposed(value.suffix)] : [];
      return make("span", {}, exposed(value.$repeat), ` × ${value.times}`, ...rest);
    }
    if ("$range" in value) {
      const part = (number) => exposed(value.$range.replaceAll("%d", String(number)));
      return make("span", {}, part(value.start || 0), " … ", part(value.stop - 1), ` (${value.stop - (value.start || 0)} tokens)`);
    }
    if ("$concat" in value) return make("span", {}, ...value.$concat.flatMap((one, index) => (index ? [" + ", input(one)] : [input(one)])));
    if ("$list" in value) return make("span", {}, exposed(value.$list), `, ${value.times} times`);
    if ("$nan" in value) return make("em", {}, "NaN");
    return make("code", {}, JSON.stringify(value));
  }

  function pair(term, ...content) {
    return [make("dt", {}, term), make("dd", {}, ...content)];
  }

  function segments(one) {
    const found = one.segments || [];
    if (!found.length) return [make("p", {}, "No segment at all.")];
    return found.map((segment, index) => {
      const list = make("dl", {}, ...pair("hypothesis", input(segment.hyp)));
      if (segment.refs === null) list.append(...pair("references", make("em", {}, "no entry")));
      else if (!Array.isArray(segment.refs)) list.append(...pair("references", input(segment.refs)));
      else if (!segment.refs.length) list.append(...pair("references", make("em", {}, "none")));
      else segment.refs.forEach((reference, place) => list.append(...pair(segment.refs.length > 1 ? `reference ${place + 1}` : "reference", input(reference))));
      if ("src" in segment) list.append(...pair("source", input(segment.src)));
      return make("div", { class: "segment" }, found.length > 1 ? make("strong", {}, `Segment ${index + 1}`) : "", list);
    });
  }

  function components(outcome) {
    const values = outcome[3];
    if (!values.length) return [];
    const text = shared[values[0]].map((name, index) => `${name}: ${write(values[index + 1])}`);
    return pair("components", text.join(", "));
  }

  const write = (value) => (value === null ? "undefined" : typeof value === "object" ? JSON.stringify(value) : String(value));

  function conventions(axes, metric) {
    return axes.map((axis) => {
      const meaning = meanings[axis] || meanings[`${metric}:${axis}`];
      return make("div", {}, make("code", {}, axis), meaning ? ` ${meaning}` : "");
    });
  }

  function implementation(one, column, chosen) {
    const [verdict, outcome, reason, axes, spec, against, printed, seconds, reproduce] = one.cells[column.index];
    const word = VERDICTS[verdict];
    const list = make("dl", {}, ...pair("value", long(outcome)), ...components(outcome));
    if (shared[spec]) list.append(...pair("spec", make("code", {}, shared[spec])));
    if (shared[reason]) list.append(...pair("why", visible(shared[reason])));
    if (shared[axes].length) list.append(...pair("conventions", ...conventions(shared[axes], one.metric)));
    if (against.length) {
      list.append(...pair("held against", ...against.map(([who, agrees, detail, what]) => {
        const facts = [shared[what] && `(${shared[what]})`, agrees ? "the same" : `differs: ${shared[detail]}`].filter(Boolean).join(" ");
        return make("div", {}, make("strong", {}, shared[who]), " ", visible(facts));
      })));
    }
    if (shared[printed]) list.append(...pair("printed", make("pre", {}, visible(shared[printed]))));
    if (seconds !== null) list.append(...pair("seconds", String(seconds)));
    const command = reproduce || `tertium conform ${column.name} --case ${one.id}`;
    list.append(...pair("reproduce", copyable(command)));
    const title = make("h4", {}, column.name, " ", make("span", { class: `badge ${word}` }, `${MARKS[word]} ${word}`));
    const whole = make("section", { class: chosen ? "implementation current" : "implementation", "aria-label": column.name }, title, list);
    return whole;
  }

  function copyable(command) {
    const button = make("button", { type: "button", "aria-label": `Copy: ${command}` }, "Copy");
    const code = make("code", {}, visible(command));
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(command);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
      }
    });
    return make("span", { class: "command" }, code, button);
  }

  const dialog = byId("details");
  let opened = null;

  function open(one, column) {
    opened = { one, column };
    const content = [make("h3", { id: "details-title" }, visible(one.title)), make("p", {}, visible(one.explanation || ""))];
    const facts = make("dl", {}, ...pair("case", make("code", {}, one.id)), ...pair("metric", one.output ? `${one.metric}, output ${one.output}` : one.metric));
    if (one.params) facts.append(...pair("parameters", make("code", {}, Object.entries(one.params).map(([name, value]) => `${name}=${write(value)}`).join(", "))));
    if (one.tags.length) facts.append(...pair("tags", one.tags.join(", ")));
    if (one.axes.length) facts.append(...pair("about", ...conventions(one.axes, one.metric)));
    if (one.textbook) {
      const book = one.textbook;
      const value = book.value === null ? "left open" : `${write(book.value)} on the scale ${book.scale}`;
      facts.append(...pair("textbook", [value, book.exact && `= ${book.exact}`, book.source && `(${book.source})`].filter(Boolean).join(" ")));
    }
    if (one.tolerance) facts.append(...pair("tolerance", `${one.tolerance.relative} relative, ${one.tolerance.absolute} absolute: ${one.tolerance.why}`));
    content.push(facts, make("h3", {}, "Input"), ...segments(one), make("h3", {}, "Implementations"));
    const having = columns.filter((other) => other.own && one.cells[other.index]);
    having.sort((a, b) => (b === column) - (a === column));
    content.push(...having.map((other) => implementation(one, other, other === column)));
    if (one.measured.length) {
      const lines = one.measured.map(([name, version, outcome]) => make("tr", column && !column.own && column.index === name ? { class: "current" } : {}, make("th", { scope: "row" }, `${measured[name]} ${shared[version]}`), make("td", {}, long(outcome))));
      const facts = make("table", {}, make("caption", { class: "sr" }, "Measured outside of tertium"), make("tbody", {}, ...lines));
      content.push(make("h3", {}, "Measured outside of tertium"), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Measured outside of tertium" }, facts));
    }
    byId("details-body").replaceChildren(...content);
    const place = current.indexOf(one);
    byId("previous").disabled = place <= 0;
    byId("next").disabled = place < 0 || place >= current.length - 1;
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    remember();
  }

  function step(by) {
    const next = current[current.indexOf(opened.one) + by];
    if (!next) return;
    const line = row(next);
    if (focused) focused.tabIndex = -1;
    focused = line.cells[opened.column ? columns.indexOf(opened.column) + 1 : 0];
    focused.tabIndex = 0;
    open(next, opened.column);
  }

  byId("previous").addEventListener("click", () => step(-1));
  byId("next").addEventListener("click", () => step(1));
  byId("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    opened = null;
    remember();
    if (focused && focused.isConnected) focused.focus();
  });

  // What is looked at stands in the address, so that it can be handed on.
  const FIELDS = ["search", "metric", "tag", "outcome", "order"];

  function remember() {
    const state = new URLSearchParams();
    for (const name of FIELDS) {
      const value = byId(name).value;
      if (value && value !== "suite") state.set(name, value);
    }
    if (opened) {
      state.set("case", opened.one.id);
      if (opened.column) state.set("provider", opened.column.name);
    }
    const text = state.toString();
    if (text === location.hash.slice(1)) return;
    try {
      history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    } catch {
      return; // a page that was opened in a frame without an address of its own
    }
  }

  function recall() {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const name of FIELDS) {
      const field = byId(name);
      const value = state.get(name);
      if (value !== null && (field.tagName === "INPUT" || [...field.options].some((option) => option.value === value))) field.value = value;
    }
    return state;
  }

  let waiting = 0;
  byId("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(draw, 120); });
  for (const name of FIELDS.slice(1)) {
    byId(name).addEventListener("change", () => {
      if (name === "order") order = { column: null, down: false };
      draw();
    });
  }
  const form = byId("filters");
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => {
    order = { column: null, down: false };
    show();
  }, 0));

  function show() {
    const more = byId("measured");
    if (more && more.checked && columns.length === providers.length) {
      measured.forEach((name, index) => columns.push({ name, index, ticked: true, shown: true, own: false }));
      rows.clear();
    }
    for (const box of form.elements.provider.length ? form.elements.provider : [form.elements.provider]) columns[Number(box.value)].ticked = box.checked;
    for (const column of columns) if (!column.own) column.ticked = more.checked;
    heading();
    draw();
  }

  for (const box of form.querySelectorAll("input[type=checkbox]")) box.addEventListener("change", show);

  const state = recall();
  show();
  const asked = cases.find((one) => one.id === state.get("case"));
  if (asked) open(asked, columns.find((column) => column.own && column.name === state.get("provider") && asked.cells[column.index]) || null);
})();
