package io.weir.internal.server.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.internal.server.access.Role;
import io.weir.internal.server.access.Authentication;
import java.util.LinkedHashMap;
import java.util.Map;

/** Who is signed in, for pages. */
final class AuthenticationDocument {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuthenticationDocument() {}

  static String json(Authentication who) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("name", who.name());
    members.put("userId", who.identity().userId().orElse(null));
    members.put("roles", who.identity().roles().stream().map(Role::text).sorted().toList());
    who.validUntil().ifPresent(end -> members.put("validUntil", end.toString()));
    try {
      return JSON.writeValueAsString(members);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
