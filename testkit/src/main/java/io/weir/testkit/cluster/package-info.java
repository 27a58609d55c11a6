/**
 * A cluster on a virtual clock: real limiters on simulated machines, a network between them and a
 * store that delays, loses and reorders, and everything else that happens to clusters. {@link
 * io.weir.testkit.cluster.SimulatedCluster} is where to begin.
 */
@NullMarked
package io.weir.testkit.cluster;

import org.jspecify.annotations.NullMarked;
