/** Tells pages who is signed in. */
@NullMarked
package io.weir.internal.control.session;

import org.jspecify.annotations.NullMarked;
