/*
 * Writes the Bloom filters of Guava that the importer's tests read, and lists which absent keys the
 * library itself calls "maybe".
 *
 *   java -cp guava.jar Guava.java STRATEGY FUNNEL N P ABSENT FILTER LIST
 *
 * STRATEGY is 64 or 32, for MURMUR128_MITZ_64 and MURMUR128_MITZ_32. FUNNEL is bytes or string, for byteArrayFunnel()
 * and stringFunnel(UTF_8). The filter is made for N keys with false-positive rate P and contains key:0 … key:<N - 1>.
 * FILTER receives what writeTo() writes. LIST receives, one a line, each i < ABSENT for which the filter, read again
 * with readFrom(), does not rule out absent:<i>.
 */
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

public class Guava {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 7) {
      throw new IllegalArgumentException(
          "got " + arguments.length + " arguments instead of STRATEGY FUNNEL N P ABSENT FILTER LIST");
    }
    switch (arguments[1]) {
      case "bytes":
        write(arguments, Funnels.byteArrayFunnel(), key -> key.getBytes(StandardCharsets.UTF_8));
        break;
      case "string":
        write(arguments, Funnels.stringFunnel(StandardCharsets.UTF_8), key -> (CharSequence) key);
        break;
      default:
        throw new IllegalArgumentException("FUNNEL is \"" + arguments[1] + "\"; it must be bytes or string");
    }
  }

  private static <T> void write(String[] arguments, Funnel<T> funnel, Function<String, T> value) throws Exception {
    int keys = Integer.parseInt(arguments[2]);
    double rate = Double.parseDouble(arguments[3]);
    int absent = Integer.parseInt(arguments[4]);

    BloomFilter<T> filter = create(funnel, keys, rate, "MURMUR128_MITZ_" + arguments[0]);
    for (int i = 0; i < keys; i++) {
      filter.put(value.apply("key:" + i));
    }
    try (OutputStream out = new BufferedOutputStream(new FileOutputStream(arguments[5]))) {
      filter.writeTo(out);
    }

    BloomFilter<T> read;
    try (InputStream in = new BufferedInputStream(new FileInputStream(arguments[5]))) {
      read = BloomFilter.readFrom(in, funnel);
    }
    for (int i = 0; i < keys; i++) {
      if (!read.mightContain(value.apply("key:" + i))) {
        throw new IllegalStateException("the filter that was read denies key:" + i);
      }
    }
    try (PrintWriter list = new PrintWriter(arguments[6], StandardCharsets.US_ASCII)) {
      for (int i = 0; i < absent; i++) {
        if (read.mightContain(value.apply("absent:" + i))) {
          list.print(i + "\n");
        }
      }
    }
  }

  /** The public create() always takes MURMUR128_MITZ_64, so the strategy is passed to the one it calls. */
  @SuppressWarnings("unchecked")
  private static <T> BloomFilter<T> create(Funnel<T> funnel, long keys, double rate, String name) throws Exception {
    Class<?> strategy = Class.forName("com.google.common.hash.BloomFilter$Strategy");
    for (Object constant : Class.forName("com.google.common.hash.BloomFilterStrategies").getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        Method create =
            BloomFilter.class.getDeclaredMethod("create", Funnel.class, long.class, double.class, strategy);
        create.setAccessible(true);
        return (BloomFilter<T>) create.invoke(null, funnel, keys, rate, constant);
      }
    }
    throw new IllegalArgumentException("there is no strategy " + name + "; STRATEGY must be 64 or 32");
  }
}
