/** Bans: strikes of callers, the bans that they lead to, and the list of bans in force. */
@NullMarked
package io.weir.internal.ban;

import org.jspecify.annotations.NullMarked;
