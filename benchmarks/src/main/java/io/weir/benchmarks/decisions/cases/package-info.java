/** Benchmarks for JMH, and the states that they need. */
@NullMarked
package io.weir.benchmarks.decisions.cases;

import org.jspecify.annotations.NullMarked;
