/** Reads the connection's own address where a web server applies forwarded header fields. */
@org.jspecify.annotations.NullMarked
package io.weir.spring.server;
