package io.weir.internal.server.access;

import java.time.Instant;
import java.util.Optional;

/**
 * A caller that has presented a valid token, JWT or session. Immutable.
 *
 * @param name the name in histories: the user, else the name of the token
 * @param subject the subject of a JWT, to which its sessions belong; empty for an access token
 * @param validUntil the time at which it expires; empty if it doesn't
 */
public record Authentication(
    Identity identity, String name, Optional<String> subject, Optional<Instant> validUntil) {}
