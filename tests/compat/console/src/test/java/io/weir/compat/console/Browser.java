package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.deque.html.axecore.selenium.AxeBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.openqa.selenium.By;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/** A real Chromium that shows the console. It reaches this machine only. */
final class Browser implements AutoCloseable {
  static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  static final Path DRIVER = Path.of("/usr/bin/chromedriver");

  /** Takes the pictures into the documentation as well. */
  private static final boolean COPIES = Boolean.getBoolean("weir.test.screenshots");

  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final Path DOCUMENTED = Path.of("..", "..", "..", "docs", "console");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The pictures that docs/console.md shows. */
  private static final Set<String> DOCUMENTED_PICTURES =
      Set.of(
          "access-light-wide",
          "now-light-wide",
          "now-dark-phone",
          "policy-light-wide",
          "rule-light-wide",
          "caller-light-wide",
          "switches-light-wide",
          "what-if-dark-wide",
          "user-me-light-phone");

  private static final int WIDE = 1440;
  private static final int HEIGHT = 900;
  private static final int PHONE = 390;
  private static final int PHONE_HEIGHT = 844;

  private final ChromeDriver driver;
  private final String server;
  private final String console;
  private final List<String> scripts = new ArrayList<>();

  /** Takes a browser for the console of a server. */
  Browser(String server) {
    this(server, "");
  }

  /** Takes a browser for a console that is mounted below a path. */
  Browser(String server, String mount) {
    this.server = server;
    this.console = server + mount + "/v1/console/";
    driver = Browsers.take();
    wide();
  }

  /** The driver, for what one test alone needs. */
  ChromeDriver driver() {
    return driver;
  }

  void wide() {
    size(WIDE, HEIGHT);
  }

  void phone() {
    size(PHONE, PHONE_HEIGHT);
  }

  /** Makes the window as broad as a screen of that width. */
  void width(int width) {
    size(width, HEIGHT);
  }

  private void size(int width, int height) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Runs a script in each page from now on, before the page's own ones. */
  void runBeforeEachPage(String script) {
    scripts.add(
        (String)
            driver
                .executeCdpCommand(
                    "Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                .get("identifier"));
  }

  /** Chooses {@code light} or {@code dark}, as the system would. */
  void colours(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", scheme),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
  }

  /** Loads the console at an address behind the {@code #}. */
  void load(String address) {
    driver.get("about:blank");
    driver.get(console + "#" + address);
  }

  /** Leaves the console, whose stream of events ends with it. */
  void leave() {
    driver.get("about:blank");
  }

  /** Loads the page again, as a person does. */
  void reload() {
    driver.navigate().refresh();
  }

  /** Signs out by forgetting the cookie, so that another person can sign in. */
  void forgetSession() {
    driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
  }

  /** Loads the console and signs in. */
  void signIn(String token, String address) {
    load(address);
    await("#token");
    type("#token", token);
    click("#sign-in-submit");
    await("#who");
  }

  /** Shows another page, and waits until its module is shown. */
  void show(String address, String view) {
    run(
        "delete document.documentElement.dataset.view;"
            + " if (location.hash === '#' + arguments[0]) dispatchEvent(new"
            + " HashChangeEvent('hashchange')); else location.hash = arguments[0];",
        address);
    Await.until(
        "the page " + address,
        () -> view.equals(run("return document.documentElement.dataset.view ?? '';")));
    Await.until(
        "all parts of " + address + " are read",
        () ->
            Boolean.TRUE.equals(
                run(
                    "return !/Reading …|Checking …/.test(document.getElementById('view').innerText) &&"
                        + " [...document.querySelectorAll('#view .panel > .body')]"
                        + ".every(e => e.childElementCount > 0);")));
  }

  /** Runs a script, and returns what it returns; "" instead of null. */
  Object run(String script, Object... arguments) {
    Object result = driver.executeScript(script, arguments);
    return result == null ? "" : result;
  }

  boolean has(String selector) {
    return !driver.findElements(By.cssSelector(selector)).isEmpty();
  }

  void await(String selector) {
    Await.until(selector + " is there: " + address(), () -> has(selector));
  }

  private String address() {
    return driver.getCurrentUrl();
  }

  /** The address behind the {@code #}. */
  String hash() {
    return (String) run("return location.hash;");
  }

  /** How many elements there are. */
  long count(String selector) {
    return (Long) run("return document.querySelectorAll(arguments[0]).length;", selector);
  }

  /** Waits until an element is no longer there. */
  void awaitGone(String selector) {
    Await.until(selector + " is gone: " + address(), () -> !has(selector));
  }

  /** The text of an element; empty if there is none. */
  String text(String selector) {
    return (String)
        run("return document.querySelector(arguments[0])?.textContent ?? '';", selector);
  }

  /** The texts of some elements at the same moment; empty for those that aren't there. */
  List<?> texts(List<String> selectors) {
    return (List<?>)
        run(
            "return arguments[0].map(e => document.querySelector(e)?.textContent ?? '');",
            selectors);
  }

  void awaitText(String selector, String text) {
    Await.until(
        () -> selector + " says '" + text + "', not '" + text(selector) + "': " + address(),
        () -> text(selector).contains(text));
  }

  String value(String selector) {
    return (String) run("return document.querySelector(arguments[0])?.value ?? '';", selector);
  }

  void click(String selector) {
    act(selector, WebElement::click);
  }

  /** Replaces what a field has. */
  void type(String selector, String text) {
    act(
        selector,
        field -> {
          field.clear();
          field.sendKeys(text);
        });
  }

  void choose(String selector, String value) {
    await(selector);
    run(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            + " e.dispatchEvent(new Event('input', {bubbles: true}));"
            + " e.dispatchEvent(new Event('change', {bubbles: true}));",
        selector,
        value);
  }

  /** A page may be drawn anew between finding an element and using it. */
  private void act(String selector, Consumer<WebElement> action) {
    Await.until(
        selector + " can be used: " + address(),
        () -> {
          try {
            action.accept(driver.findElement(By.cssSelector(selector)));
            return true;
          } catch (NoSuchElementException
              | StaleElementReferenceException
              | ElementNotInteractableException again) {
            return false;
          }
        });
  }

  /** Sends a request as the page would, with its cookie, and returns the status. */
  long send(String method, String path, String body) {
    return (Long)
        driver.executeAsyncScript(
            "const [method, path, body, done] = arguments; fetch('../' + path, {method,"
                + " credentials: 'same-origin', headers: {'X-Weir': '1', 'Content-Type':"
                + " 'application/json'}, body: body || undefined}).then(r => done(r.status), e =>"
                + " done(-1));",
            method,
            path,
            body);
  }

  /** What a GET of the page answers. */
  String read(String path) {
    return (String)
        driver.executeAsyncScript(
            "const [path, done] = arguments; fetch(path, {credentials: 'same-origin'})"
                + ".then(r => r.text()).then(done, e => done('' + e));",
            path);
  }

  /** Checks that axe finds nothing, nor the browser a fault, nor a request to elsewhere. */
  void assertFlawless(String what) {
    assertAccessible(what);
    assertFits(what);
    assertNoFaults(what);
  }

  /** Checks that axe finds nothing on the page, once no colour is on its way to another. */
  void assertAccessible(String what) {
    if (!Boolean.TRUE.equals(run("return Boolean(window.axe);"))) {
      run(axe());
    }
    Object found =
        driver.executeAsyncScript(
            "const done = arguments[0];"
                + "Promise.allSettled(document.getAnimations()"
                + ".filter(a => a instanceof CSSTransition).map(a => a.finished))"
                + ".then(() => axe.run(document, {resultTypes: ['violations']})).then("
                + "r => done(r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html)"
                + ".join(', '))), e => done([String(e)]));");
    assertEquals(List.of(), found, what);
  }

  /** The script of axe. Its builder would open another window, and this one would pause. */
  private static String axe() {
    try (InputStream script = AxeBuilder.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Checks that nothing is broader than the window, once charts have taken on its width. */
  void assertFits(String what) {
    Await.until(() -> what + " fits into the window, with " + broader(), () -> broader().isEmpty());
  }

  /** Checks that nobody has to scroll the side bar. */
  void assertSideFits() {
    assertEquals(
        List.of(),
        run(
            "return [...document.querySelectorAll('#side, #side nav')].filter(e =>"
                + " e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight).map(e =>"
                + " `${e.id || e.tagName}: ${e.scrollWidth} × ${e.scrollHeight} in"
                + " ${e.clientWidth} × ${e.clientHeight}`);"));
  }

  /** Checks that the title of each panel is in one line, and so are the links beside it. */
  void assertHeadsInLine(String what) {
    assertEquals(
        List.of(),
        run(
            "return [...document.querySelectorAll('.panel > header')].filter(head => {"
                + " const title = head.querySelector('h2');"
                + " const lines = e => new Set([...e].map(one => Math.round(one.top))).size;"
                + " const text = document.createRange(); text.selectNodeContents(title);"
                + " return lines(text.getClientRects()) > 1"
                + " || lines([...head.querySelectorAll('a')].flatMap(a => [...a.getClientRects()])) > 1;"
                + "}).map(head => head.innerText);"),
        what);
  }

  private List<?> broader() {
    return (List<?>)
        run(
            "if (document.documentElement.scrollWidth <= innerWidth) return [];"
                + " return [...document.querySelectorAll('body *')]"
                + ".filter(e => e.getBoundingClientRect().right > innerWidth + 1"
                + " && !e.closest('.table-box'))"
                + ".map(e => e.outerHTML.slice(0, 150)).slice(0, 8);");
  }

  /**
   * Checks that no script failed, that nothing was written to the console, that the
   * Content-Security-Policy forbade nothing, and that every request went to the server. Statuses
   * that aren't a success are in the console too; those are left to the tests.
   */
  void assertNoFaults(String what) {
    List<String> faults =
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
            .map(LogEntry::getMessage)
            .filter(each -> !each.contains("Failed to load resource: the server responded"))
            .toList();
    assertEquals(List.of(), faults, what);
    List<String> elsewhere =
        driver.manage().logs().get(LogType.PERFORMANCE).getAll().stream()
            .map(Browser::requested)
            .filter(each -> !each.isEmpty() && !each.startsWith(server + "/"))
            .toList();
    assertEquals(List.of(), elsewhere, what + ": requests to elsewhere");
  }

  /** Fails for a table of which two rows had one key, on whatever page: one of them isn't shown. */
  private void assertNoRepeatedKeys() {
    List<String> repeated =
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
            .map(LogEntry::getMessage)
            .filter(each -> each.contains(": two rows are "))
            .toList();
    assertEquals(List.of(), repeated, "tables with a repeated key");
  }

  /** The address that an entry says was requested; empty if it says something else. */
  private static String requested(LogEntry entry) {
    try {
      JsonNode message = JSON.readTree(entry.getMessage()).path("message");
      String url =
          message.path("method").asText().equals("Network.requestWillBeSent")
              ? message.at("/params/request/url").asText()
              : "";
      return url.startsWith("about:") || url.startsWith("data:") ? "" : url;
    } catch (JsonProcessingException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Points at nothing, so that nothing is drawn as if somebody pointed at it. */
  private void pointAtNothing() {
    driver.executeCdpCommand(
        "Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", 0, "y", 0));
  }

  /**
   * Takes a picture into {@code target/screenshots}, and a few of them into the documentation if
   * wanted.
   */
  void picture(String name) {
    pointAtNothing();
    try {
      Files.createDirectories(PICTURES);
      Path file = PICTURES.resolve(name + ".png");
      Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
      if (COPIES && DOCUMENTED_PICTURES.contains(name)) {
        Files.createDirectories(DOCUMENTED);
        Files.copy(file, DOCUMENTED.resolve(name + ".png"), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Gives the browser back, for others who know nothing of this one's pages. */
  @Override
  public void close() {
    try {
      assertNoRepeatedKeys();
    } finally {
      giveBack();
    }
  }

  private void giveBack() {
    for (String each : scripts) {
      driver.executeCdpCommand(
          "Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", each));
    }
    Browsers.clear(driver);
    Browsers.giveBack(driver);
  }
}
