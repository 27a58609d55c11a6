/** Measures rules in a database. */
@NullMarked
package io.weir.benchmarks.rules;

import org.jspecify.annotations.NullMarked;
