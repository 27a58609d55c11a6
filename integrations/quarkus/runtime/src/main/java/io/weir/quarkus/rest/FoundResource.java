package io.weir.quarkus.rest;

import java.util.Map;

/**
 * A resource that a look-up before the sign-in has found for a path.
 *
 * @param variables of the path, decoded, by their names
 */
record FoundResource(LimitedResource resource, Map<String, String> variables) {}
