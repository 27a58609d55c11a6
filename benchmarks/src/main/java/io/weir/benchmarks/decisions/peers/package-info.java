/** Limiters in memory that a user would take, one for each caller, and the least there is to do. */
@NullMarked
package io.weir.benchmarks.decisions.peers;

import org.jspecify.annotations.NullMarked;
