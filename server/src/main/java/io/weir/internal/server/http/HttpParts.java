package io.weir.internal.server.http;

import io.weir.RateLimiter;
import io.weir.internal.control.access.OwnSite;
import io.weir.internal.server.access.Credentials;
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.rules.access.Sessions;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * What the HTTP door is opened with.
 *
 * @param host the address to listen on
 * @param port 0: any
 * @param metricsPort where metrics are read without a sign-in; nothing: nowhere
 * @param tls nothing: no TLS
 * @param connections how many at a time
 * @param addressConnections how many of them one address may have
 * @param headerBytes how long the header of a request may be
 * @param stopTimeout how long requests have to finish when the door is closed
 * @param credentials knows who asks
 * @param sessions who is signed in to the pages
 * @param limiter bounds how many of them are opened
 * @param site where browsers reach the server
 * @param health how the server is
 * @param metrics all meters in Prometheus text
 * @param endStreams ends the answers that go on by themselves, before the door waits for the others
 */
public record HttpParts(
    String host,
    int port,
    OptionalInt metricsPort,
    Optional<ServerCertificate> tls,
    int connections,
    int addressConnections,
    int headerBytes,
    Duration stopTimeout,
    Credentials credentials,
    Sessions sessions,
    RateLimiter limiter,
    OwnSite site,
    Health health,
    Supplier<String> metrics,
    Runnable endStreams) {}
