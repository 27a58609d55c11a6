/** What can only be asked of the server that an application runs in. Not for use by others. */
@NullMarked
package io.weir.internal.container;

import org.jspecify.annotations.NullMarked;
