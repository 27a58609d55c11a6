/** Values as they are written in settings, addresses and messages. */
@NullMarked
package io.weir.internal.value;

import org.jspecify.annotations.NullMarked;
