package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.internal.application.ApplicationWeirs;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LifeTest extends WovenTest {
  private final Methods methods = new Methods();

  @Test
  void aMistakeSurfacesAtEveryCallAndNamesTheMethod() {
    for (int i = 0; i < 2; i++) {
      InvalidPolicyException mistake =
          assertThrows(InvalidPolicyException.class, () -> new Mistaken().nothingAtAll());
      assertTrue(mistake.getMessage().contains("Mistaken#nothingAtAll"), mistake.getMessage());
    }
  }

  @Test
  void aSuspendFunctionIsRefusedByName() {
    InvalidPolicyException mistake =
        assertThrows(
            InvalidPolicyException.class,
            () -> new Suspending().send("text", new Continuation<>() {}));
    assertTrue(
        mistake.getMessage().contains("Suspending#send: a woven suspend function can't be limited"),
        mistake.getMessage());
  }

  @Test
  void aNewWeirCountsAnew() {
    methods.composed();
    assertRefused(methods::composed);
    weir.close();
    weir = Weir.builder().ticker(ticker).build().install();
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void afterTheWeirWasClosedCallsPassAndNobodyMakesAnother() {
    methods.composed();
    assertRefused(methods::composed);
    weir.close();
    methods.composed();
    methods.composed();
    assertEquals(Optional.empty(), ApplicationWeirs.get(Methods.class));
    assertEquals(3, methods.runs());
  }

  @Test
  void aClassThatMentionsAMissingOneRunsAllTheSame() throws Exception {
    Supplier<?> frail =
        (Supplier<?>)
            new WithoutGone(getClass().getClassLoader())
                .loadClass(Frail.class.getName())
                .getDeclaredConstructor()
                .newInstance();
    assertEquals("ran", frail.get());
    assertEquals("ran", frail.get());
    Supplier<String> whole = new Frail();
    assertEquals("ran", whole.get());
    assertRefused(whole::get);
  }

  /** Loads copies of Frail and of the classes woven into it, but not the class that it mentions. */
  private static final class WithoutGone extends ClassLoader {
    WithoutGone(ClassLoader parent) {
      super(parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(Frail.Gone.class.getName())) {
        throw new ClassNotFoundException(name);
      }
      return name.startsWith(Frail.class.getName()) ? copy(name) : super.loadClass(name, resolve);
    }

    private Class<?> copy(String name) throws ClassNotFoundException {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException unreadable) {
        throw new ClassNotFoundException(name, unreadable);
      }
    }
  }

  @Test
  void switchedOffNothingIsLimited() {
    weir.close();
    weir = Weir.builder().settings(Map.of("weir.enabled", "false")).build().install();
    methods.composed();
    methods.composed();
    assertEquals(2, methods.runs());
  }

  @Test
  void settingsOverrideAnnotations() {
    weir.close();
    Map<String, String> settings = Map.of("weir.policy.Methods.composed.limit", "2");
    weir = Weir.builder().settings(settings).ticker(ticker).build().install();
    methods.composed();
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void aParameterThatTheMethodDoesNotHaveIsAMistake() {
    Sms sms = new Sms();
    for (int i = 0; i < 2; i++) {
      InvalidPolicyException mistake =
          assertThrows(InvalidPolicyException.class, () -> sms.misspelt("1"));
      String says = mistake.getMessage();
      assertTrue(says.contains("Sms#misspelt: key = param:fone"), says);
      assertTrue(says.contains("[phone]"), says);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "weir.policy.Methods.composed.burst",
        "weir.policy.Methods.composed.cost",
        "weir.policy.Methods.composed.cost-from=param:nothing"
      })
  void aSettingThatDoesNotSuitAMethodFailsNoCall(String setting) {
    weir.close();
    String[] parts = setting.split("=", 2);
    Map<String, String> settings = Map.of(parts[0], parts.length == 1 ? "5" : parts[1]);
    weir = Weir.builder().settings(settings).ticker(ticker).build().install();
    methods.composed();
    assertRefused(methods::composed);
    assertEquals(1, methods.runs());
  }

  @Test
  void aThreadOfNobodyFindsTheWeirOfTheClass() {
    methods.composed();
    Thread thread = Thread.currentThread();
    ClassLoader own = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      assertRefused(methods::composed);
    } finally {
      thread.setContextClassLoader(own);
    }
  }
}
