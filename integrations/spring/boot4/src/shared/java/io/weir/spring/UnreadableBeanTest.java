package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.annotation.RateLimit;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Beans that are never made, since types that their methods name are missing. */
@EnabledIf("io.weir.spring.BootOfToday#isOneOfTwo")
class UnreadableBeanTest {
  @TempDir Path directory;

  static class Wrong {
    @RateLimit(limit = 0, window = 60)
    public void none() {}
  }

  /** Compiles a class whose method returns a type, and deletes the type. */
  private Class<?> unreadable(URLClassLoader loader) throws IOException, ClassNotFoundException {
    Path missing = Files.writeString(directory.resolve("Missing.java"), "class Missing {}");
    Path naming =
        Files.writeString(
            directory.resolve("Naming.java"),
            "public class Naming { Missing get() { return null; } }");
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", directory.toString(), missing + "", naming + ""));
    Files.delete(directory.resolve("Missing.class"));
    Class<?> found = Class.forName("Naming", false, loader);
    assertThrows(NoClassDefFoundError.class, found::getDeclaredMethods);
    return found;
  }

  @Test
  void dontHideTheMistakesOfOthers() throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
      beans.registerBeanDefinition("naming", new RootBeanDefinition(unreadable(loader)));
      beans.registerBeanDefinition("wrong", new RootBeanDefinition(Wrong.class));

      InvalidPolicyException found = AnnotationMistakes.of(beans).orElseThrow();
      assertTrue(found.mistakes().toString().contains("limit = 0"), found.mistakes().toString());
    }
  }

  @Test
  void areLeftOutOfTheHintsForNativeImages() throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
      beans.registerBeanDefinition("naming", new RootBeanDefinition(unreadable(loader)));
      assertNull(new LimitedBeanHints().processAheadOfTime(RegisteredBean.of(beans, "naming")));
    }
  }
}
