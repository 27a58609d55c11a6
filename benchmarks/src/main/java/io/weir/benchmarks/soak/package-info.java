/** Nodes under a steady load while one thing after the other goes wrong, and what they promise. */
@NullMarked
package io.weir.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
