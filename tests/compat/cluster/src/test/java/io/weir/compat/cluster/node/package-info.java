/** Runs in the JVM of one node, controlled by lines on its standard input. */
@NullMarked
package io.weir.compat.cluster.node;

import org.jspecify.annotations.NullMarked;
