package io.weir.compat.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.RateLimit;
import io.weir.compat.jaxrs.server.Api;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sub-resources that are first used after settings that don't suit them were accepted. */
interface LateSettingsTests extends Serving {
  @Path("/")
  class Articles {
    @GET
    @RateLimit(limit = 5, window = 60)
    public String read() {
      return "";
    }

    @Path("comments")
    public Comments comments() {
      return new Comments();
    }
  }

  class Comments {
    @POST
    @RateLimit(limit = 10, window = 60)
    public String write() {
      return "";
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "weir.cost.POST=50",
        "weir.policy.Comments.write.by=user",
        "weir.policy.Comments.write.burst=5"
      })
  default void aSubResourceIsLimitedAsAnnotatedUntilTheSettingIsMended(
      String setting, @TempDir java.nio.file.Path directory) throws Exception {
    java.nio.file.Path file = directory.resolve("weir.properties");
    Files.writeString(file, "weir.policy.Articles.read.limit=4\n");
    Api api = serving(Articles.class).setting("weir.config", file.toString()).start();
    Files.writeString(file, setting + "\n");
    api.weir().refresh();
    assertEquals(200, api.post("/comments").statusCode());
    assertEquals(8, Api.left(api.post("/comments")));

    Files.writeString(file, setting + "\nweir.policy.Articles.read.limit=3\n");
    api.weir().refresh();
    assertEquals(3, api.admitted("/"), "other settings change all the same");
    assertEquals(7, Api.left(api.post("/comments")));

    Files.writeString(file, "weir.policy.Comments.write.limit=100\nweir.cost.POST=2\n");
    api.weir().refresh();
    assertEquals(95, Api.left(api.post("/comments")));
  }

  @Test
  default void theSameSettingsFromTheStartDontFailItEither() throws Exception {
    Api api = serving(Articles.class).setting("weir.cost.POST", "50").start();
    assertEquals(200, api.post("/comments").statusCode());
    assertEquals(8, Api.left(api.post("/comments")));
  }
}
