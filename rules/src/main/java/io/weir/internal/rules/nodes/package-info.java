/** Writes the reports of nodes, and sums them up, every few seconds. */
@NullMarked
package io.weir.internal.rules.nodes;

import org.jspecify.annotations.NullMarked;
