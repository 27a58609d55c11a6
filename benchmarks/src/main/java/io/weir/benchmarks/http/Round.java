package io.weir.benchmarks.http;

/**
 * The costs of a request of one load in some rounds.
 *
 * <p>Immutable.
 *
 * @param cpuMicros CPU time of the server's process for a request
 * @param bytes what its threads allocated for a request
 * @param perSecond answered requests
 * @param p99Micros the time within which 99 of 100 requests were answered
 */
record Round(double cpuMicros, double bytes, double perSecond, double p99Micros) {}
