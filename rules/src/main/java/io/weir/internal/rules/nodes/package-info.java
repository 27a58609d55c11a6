/** What the servers of the service say of themselves. */
@NullMarked
package io.weir.internal.rules.nodes;

import org.jspecify.annotations.NullMarked;
