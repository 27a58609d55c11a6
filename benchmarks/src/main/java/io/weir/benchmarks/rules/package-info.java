/** What rules in a database cost. */
@NullMarked
package io.weir.benchmarks.rules;

import org.jspecify.annotations.NullMarked;
