"""One checkpoint at a time, without the network and with one thread."""

import os

os.environ.update(HF_HUB_OFFLINE="1", OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false")

import pytest
import torch
from engine import Engine
from programs import EXAMPLES, Program

torch.set_num_threads(1)


@pytest.fixture(scope="session", params=EXAMPLES)
def program(request, tmp_path_factory):
    return Program(request.param, tmp_path_factory.mktemp(request.param))


@pytest.fixture(scope="session")
def engine(program):
    return Engine(program)
