/** What rules say of each request: the policy source, and what explains it to people. */
@NullMarked
package io.weir.internal.rules.request;

import org.jspecify.annotations.NullMarked;
