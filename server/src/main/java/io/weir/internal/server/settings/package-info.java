/** What the server may be told, and where that is read. */
@NullMarked
package io.weir.internal.server.settings;

import org.jspecify.annotations.NullMarked;
