// The kernels for NVIDIA: compiled by nvcc -fatbin.
#include "kernels.inl"
