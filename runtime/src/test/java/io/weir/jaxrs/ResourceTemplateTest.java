package io.weir.jaxrs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.ws.rs.Path;
import org.junit.jupiter.api.Test;

/** Tests the path that identifies a resource method for policy sources. */
class ResourceTemplateTest {
  @Path("posts/")
  interface Posts {
    @Path("{id : [0-9]{1,3}}/")
    void read();

    void list();
  }

  static class Stored implements Posts {
    @Override
    public void read() {}

    @Override
    public void list() {}
  }

  static class Comments {
    @Path("/{id}")
    public void read() {}
  }

  private static String text(Class<?> type, String method) throws NoSuchMethodException {
    return new ResourceTemplate(type, type.getMethod(method)).text();
  }

  @Test
  void isInheritedAndWithoutExpressions() throws NoSuchMethodException {
    assertEquals("/posts/{id}", text(Stored.class, "read"));
    assertEquals("/posts", text(Stored.class, "list"));
  }

  @Test
  void ofASubResourceIsClassAndName() throws NoSuchMethodException {
    assertEquals("Comments#read", text(Comments.class, "read"));
  }
}
