package io.weir.internal.server.http;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.internal.control.access.ServerOrigins;
import io.weir.internal.server.access.CredentialVerifier;
import io.weir.internal.server.listener.ListenerSettings;
import io.weir.internal.server.metrics.DecisionTimer;
import io.weir.internal.server.tls.ServerCertificate;
import io.weir.rules.access.Sessions;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * The parts of an {@link HttpListener}.
 *
 * @param metricsPort the port of metrics without a sign-in; empty if there is none
 * @param headerBytes the most bytes that the header of a request may have
 * @param tls the certificate; empty for no TLS
 * @param endStreams ends streaming responses, before the listener waits for the other requests
 */
public record HttpListenerParts(
    ListenerSettings settings,
    OptionalInt metricsPort,
    int headerBytes,
    Optional<ServerCertificate> tls,
    CredentialVerifier credentials,
    Sessions sessions,
    RateLimiter limiter,
    ServerOrigins site,
    Health health,
    Supplier<String> metrics,
    DecisionTimer timer,
    Ticker ticker,
    Runnable endStreams) {}
