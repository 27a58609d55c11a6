/** Measures the decision service by each protocol. */
@NullMarked
package io.weir.benchmarks.service;

import org.jspecify.annotations.NullMarked;
