/** Writes the bans of this node to the access list of all nodes. */
@NullMarked
package io.weir.internal.rules.bans;

import org.jspecify.annotations.NullMarked;
