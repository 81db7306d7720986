"""Throws Python's dice the same way each time: by the seed of the sample and the name of the pod."""

import os
import random

random.seed(os.environ.get("SAMPLE_SEED", "") + "/" + os.environ.get("HOSTNAME", ""))
