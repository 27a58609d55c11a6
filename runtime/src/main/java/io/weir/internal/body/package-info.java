/** Reads bodies of requests for policies: bounds, media types, forms, multipart forms and JSON. */
@NullMarked
package io.weir.internal.body;

import org.jspecify.annotations.NullMarked;
