/** What the decision service takes, by each of its doors. */
@NullMarked
package io.weir.benchmarks.service;

import org.jspecify.annotations.NullMarked;
