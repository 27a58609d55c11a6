/** Measurements of Weir beside what a user would take instead, and how they are told. */
@NullMarked
package io.weir.benchmarks;

import org.jspecify.annotations.NullMarked;
