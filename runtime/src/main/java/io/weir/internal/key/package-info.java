/** Identifies callers: client addresses, trusted proxies, users and key expressions. */
@NullMarked
package io.weir.internal.key;

import org.jspecify.annotations.NullMarked;
