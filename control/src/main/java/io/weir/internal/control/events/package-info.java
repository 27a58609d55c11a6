/** Reports changes, bad rows and outages: as a stream to browsers, and to a webhook. */
@NullMarked
package io.weir.internal.control.events;

import org.jspecify.annotations.NullMarked;
