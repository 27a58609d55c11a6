/** Checks the promises of nodes under a steady load with one fault after another. */
@NullMarked
package io.weir.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
