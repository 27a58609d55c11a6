/** What happens where a part that the application brought fails. Not for use by others. */
@NullMarked
package io.weir.internal.extension;

import org.jspecify.annotations.NullMarked;
