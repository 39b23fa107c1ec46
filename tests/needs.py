"""
Marks of tests that need a resource, which skip them, and say so, where it is not there.
"""

from __future__ import annotations

import pytest

from tertium.native import meteor_data
from tertium.resources import java, wordnet

needs_wordnet = pytest.mark.skipif(wordnet.WORDNET.problem() is not None, reason="WordNet is not there: fetch it")
needs_archive = pytest.mark.skipif(
    meteor_data.inspect(meteor_data.ARCHIVE).where is None,
    reason="pycocoevalcap with Meteor's archive is not installed",
)
needs_paraphrases = pytest.mark.skipif(
    meteor_data.inspect(meteor_data.PARAPHRASES).where is None, reason="Meteor's English paraphrases are not installed"
)
needs_java = pytest.mark.skipif(java.JAVA.problem() is not None, reason="there is no Java")
