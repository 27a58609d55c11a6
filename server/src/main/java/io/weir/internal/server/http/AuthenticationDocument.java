package io.weir.internal.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.server.access.Authentication;
import io.weir.internal.server.access.Role;
import java.util.LinkedHashMap;
import java.util.Map;

/** Renders the authenticated caller as JSON, for the console. */
final class AuthenticationDocument {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuthenticationDocument() {}

  static String json(Authentication caller) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("name", caller.name());
    members.put("userId", caller.identity().userId().orElse(null));
    members.put("roles", caller.identity().roles().stream().map(Role::text).sorted().toList());
    caller.validUntil().ifPresent(end -> members.put("validUntil", end.toString()));
    try {
      return JSON.writeValueAsString(members);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
