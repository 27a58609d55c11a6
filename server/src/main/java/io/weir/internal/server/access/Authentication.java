package io.weir.internal.server.access;

import java.time.Instant;
import java.util.Optional;

/**
 * Somebody who has shown a token, a JWT or a session. Immutable.
 *
 * @param identity what it may do, and whose account it is
 * @param name how histories call it: the user, else the name of the token
 * @param subject by whom sessions are counted that a JWT opens; nothing for an access token
 * @param validUntil when that ends; nothing: not by itself
 */
public record Authentication(
    Identity identity, String name, Optional<String> subject, Optional<Instant> validUntil) {}
