/** Limits what applications in Kotlin do in coroutines. */
@org.jspecify.annotations.NullMarked
package io.weir.compat.kotlin;
