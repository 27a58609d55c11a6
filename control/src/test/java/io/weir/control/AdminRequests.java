package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.control.ControlApp.Reply;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Sends requests of administrators. */
interface AdminRequests extends ControlAppTests {
  String ROOT = "root/weir-admin";
  String ADMIN = "/v1/admin/ratelimit";

  default Reply look(String path) {
    return app().get(ADMIN + path, ROOT);
  }

  default Reply add(String path, String json) {
    return app().send(app().request(ADMIN + path, ROOT), "POST", json);
  }

  /** Replaces a row; an empty version sends no {@code If-Match}. */
  default Reply put(String path, String version, String json) {
    return app().send(versioned(path, version), "PUT", json);
  }

  default Reply delete(String path, String version) {
    return app().send(versioned(path, version).method("DELETE", BodyPublishers.noBody()));
  }

  default HttpRequest.Builder versioned(String path, String version) {
    HttpRequest.Builder request = app().request(ADMIN + path, ROOT);
    return version.isEmpty() ? request : request.header("If-Match", version);
  }

  default void sql(String statement) {
    try (Connection connection = app().database.getConnection();
        Statement each = connection.createStatement()) {
      each.execute(statement);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Checks that a response is a 400 that names the field. */
  static void assertField(String field, Reply reply) {
    assertEquals(400, reply.status(), () -> reply.body().toString());
    assertEquals(field, reply.body().path("field").asText(), () -> reply.body().toString());
  }
}
