/** The reports of nodes: what each of them does, written and summed up every few seconds. */
@NullMarked
package io.weir.internal.rules.nodes;

import org.jspecify.annotations.NullMarked;
