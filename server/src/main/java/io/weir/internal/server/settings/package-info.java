/** Declares the settings of the server, and reads those of its start. */
@NullMarked
package io.weir.internal.server.settings;

import org.jspecify.annotations.NullMarked;
