/** What is measured of decisions. Keys are never part of it: they say who is calling. */
@NullMarked
package io.weir.metrics;

import org.jspecify.annotations.NullMarked;
