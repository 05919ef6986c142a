import org.chagres.collectives.*;
import org.chagres.collectives.plan.*;
import org.chagres.verbs.*;
import java.lang.foreign.*;
import java.time.Duration;
import static org.chagres.collectives.DataType.*;
import static org.chagres.collectives.ReduceOp.*;

/** A world of n ranks, each a thread of this JVM. */
World world(int n) {
    return World.threads(n);
}
