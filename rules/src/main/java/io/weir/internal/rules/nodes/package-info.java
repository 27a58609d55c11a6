/** The reports of the decision service's nodes. */
@NullMarked
package io.weir.internal.rules.nodes;

import org.jspecify.annotations.NullMarked;
