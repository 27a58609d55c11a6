/** How busy this node is, for ELASTIC policies. */
@NullMarked
package io.weir.internal.load;

import org.jspecify.annotations.NullMarked;
